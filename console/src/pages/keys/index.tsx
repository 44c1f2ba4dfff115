/** Keys of the management API, and their users. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function KeysPage() {
  return (
    <>
      <PageHeader title="Keys" />
      <Empty title="Keys">This page is on its way.</Empty>
    </>
  );
}
