/** Component gallery: every component in its states. Only the development server has this page. */
import { PageHeader } from '../../ui/PageHeader';
import { KitActions } from './KitActions';
import { KitData } from './KitData';
import { KitFields } from './KitFields';
import { KitNotes } from './KitNotes';

export default function KitPage() {
  return (
    <>
      <PageHeader title="Kit" description="Every component in its states." back={{ href: '/', label: 'Home' }} />
      <div class="stack">
        <KitActions />
        <KitFields />
        <KitNotes />
        <KitData />
      </div>
    </>
  );
}
