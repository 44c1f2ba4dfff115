/** Calls a tool and shows what was sent, what came back and what the model receives. */
import type { PageProps } from '../../app/routes';
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function TestConsolePage({ params }: PageProps<'/servers/:id/tools/:tool/test'>) {
  return (
    <>
      <PageHeader title="Test" back={{ href: `/servers/${params.id}/tools/${params.tool}`, label: 'Tool' }} />
      <Empty title="Test">This page is on its way.</Empty>
    </>
  );
}
