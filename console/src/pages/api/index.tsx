/** The OpenAPI document, rendered. */
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';

export default function ApiPage() {
  return (
    <>
      <PageHeader title="API" />
      <Empty title="API">This page is on its way.</Empty>
    </>
  );
}
