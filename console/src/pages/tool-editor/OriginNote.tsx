/** Where an imported tool comes from, and its tags. */
import { get } from '../../api/client';
import type { Tool } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Link } from '../../app/Link';
import { Callout } from '../../ui/Callout';

export interface OriginNoteProps {
  serverId: number;
  origin: NonNullable<Tool['origin']>;
  tags: readonly string[];
  canEdit: boolean;
}

export function OriginNote({ serverId, origin, tags, canEdit }: OriginNoteProps) {
  const id = origin.document_id;
  const document = useQuery(async (signal) => (await get('/documents/{id}', { path: { id }, signal })).data, [id]);
  return (
    <Callout>
      <p class="tool-origin">
        Imported from <Link href={`/servers/${serverId}/documents/${id}`}>{document.data?.name ?? 'a document'}</Link>:{' '}
        <code>{origin.operation}</code>.
        {canEdit && ' Changes that you make here are kept when you refresh the document.'}
      </p>
      {tags.length > 0 && <p class="tool-origin muted">Tags: {tags.join(', ')}</p>}
    </Callout>
  );
}
