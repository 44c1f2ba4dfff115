/** Files dropped anywhere in the console are imported: on a page of a server into it, elsewhere after a choice. */
import { signal } from '@preact/signals';
import { formatBytes } from '../logic/format';
import { importPath } from '../logic/import-path';
import { decodeDocument, documentBytesMax, type ImportSource } from '../logic/import-source';
import { toast } from '../ui/Toast';
import { currentPath, navigate } from './router';

/** The document for the import page, which resets it to undefined after reading it. In memory only: it may hold secrets. */
export const droppedDocument = signal<ImportSource | undefined>(undefined);

export async function readDocumentFile(file: File): Promise<ImportSource | { kind: 'error'; message: string }> {
  if (file.size > documentBytesMax) {
    const message = `${file.name} has ${formatBytes(file.size)}. Documents may have up to ${formatBytes(documentBytesMax)}.`;
    return { kind: 'error', message };
  }
  return { kind: 'text', text: decodeDocument(await file.arrayBuffer()), fileName: file.name };
}

/** Opens the import page of the current server; elsewhere the choice of a server. */
export function openImport(): void {
  void navigate(importPath(currentPath.peek()));
}

export function startDropHandler(): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    // Without this the browser opens the dropped file instead of the page.
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!hasFiles(event) || !file) return;
    event.preventDefault();
    void importFile(file);
  });
}

async function importFile(file: File): Promise<void> {
  const source = await readDocumentFile(file);
  if (source.kind === 'error') {
    toast(source.message, { tone: 'bad' });
    return;
  }
  droppedDocument.value = source;
  openImport();
}
