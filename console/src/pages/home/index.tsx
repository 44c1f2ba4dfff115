/** How it goes today: calls, success, times, and what fails. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function HomePage() {
  return (
    <>
      <PageHeader title="Home" />
      <Empty title="Home">This page is on its way.</Empty>
    </>
  );
}
