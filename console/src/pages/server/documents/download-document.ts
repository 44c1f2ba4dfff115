/** Saves the stored document as a file. */
import { send } from '../../../api/client';
import { saveFile } from '../../../api/download';
import type { ApiDocument } from '../../../api/types';
import { documentFileName } from '../../../logic/document-form';

export async function downloadDocument(document: ApiDocument): Promise<void> {
  const response = await send('get', '/documents/{id}/content', { path: { id: document.id } });
  const blob = await response.blob();
  saveFile(blob, documentFileName(document.name, blob.type));
}
