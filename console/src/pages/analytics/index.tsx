/** Calls, failures and times over a range of days. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function AnalyticsPage() {
  return (
    <>
      <PageHeader title="Analytics" />
      <Empty title="Analytics">This page is on its way.</Empty>
    </>
  );
}
