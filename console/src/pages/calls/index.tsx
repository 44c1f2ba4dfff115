/** The calls, as they happen and as they were. `?call=ID` opens one. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function CallsPage() {
  return (
    <>
      <PageHeader title="Calls" />
      <Empty title="Calls">This page is on its way.</Empty>
    </>
  );
}
