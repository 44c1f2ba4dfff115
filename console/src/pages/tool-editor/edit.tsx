/** A tool: request, parameters, authentication, limits. */
import type { PageProps } from '../../app/routes';
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function EditToolPage({ params }: PageProps<'/servers/:id/tools/:tool'>) {
  return (
    <>
      <PageHeader title="Tool" back={{ href: `/servers/${params.id}/tools`, label: 'Tools' }} />
      <Empty title="Tool">This page is on its way.</Empty>
    </>
  );
}
