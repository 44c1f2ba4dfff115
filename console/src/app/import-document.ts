/** Imports files that are dropped anywhere in the console. Outside the pages of a server, the user chooses a server. */
import { signal } from '@preact/signals';
import { importPath } from '../logic/import-path';
import { type ImportSource, readFiles } from '../logic/import-source';
import { toast } from '../ui/Toast';
import { currentPath, navigate } from './router';

/** The document for the import page, which resets it to undefined after reading it. Never stored: it may be secret. */
export const droppedDocument = signal<ImportSource | undefined>(undefined);

/** Opens the import page of the current server, or the page that asks for a server. */
export function openImport(): void {
  void navigate(importPath(currentPath.peek()));
}

export function startDropHandler(): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    // Without this, the browser would leave the console and open the dropped file.
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    void importFiles([...(event.dataTransfer?.files ?? [])]);
  });
}

async function importFiles(files: readonly File[]): Promise<void> {
  const source = await readFiles(files);
  if (!source) return;
  if (source.kind === 'error') {
    toast(source.message, { tone: 'bad' });
    return;
  }
  droppedDocument.value = source;
  openImport();
}
