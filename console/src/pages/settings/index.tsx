/** How the service is set up. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <Empty title="Settings">This page is on its way.</Empty>
    </>
  );
}
