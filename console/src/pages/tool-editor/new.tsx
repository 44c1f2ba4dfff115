/** A tool that does not exist yet. */
import type { PageProps } from '../../app/routes';
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function NewToolPage({ params }: PageProps<'/servers/:id/tools/new'>) {
  return (
    <>
      <PageHeader title="New tool" back={{ href: `/servers/${params.id}/tools`, label: 'Tools' }} />
      <Empty title="New tool">This page is on its way.</Empty>
    </>
  );
}
