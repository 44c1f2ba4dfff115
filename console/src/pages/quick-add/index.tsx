/** From a pasted curl command to a tool. `pastedCurl` of app/quick-add.ts holds what was pasted elsewhere. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function QuickAddPage() {
  return (
    <>
      <PageHeader title="Quick add" />
      <Empty title="Quick add">This page is on its way.</Empty>
    </>
  );
}
