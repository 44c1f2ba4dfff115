/** Parses the result of `resources/read` for display. */
import { utf8Bytes } from '../../../logic/format';

export interface Content {
  mimeType: string;
  /** Undefined for binary content. */
  text: string | undefined;
  bytes: number;
}

export function readContents(result: unknown): Content[] {
  const contents = isRecord(result) && Array.isArray(result.contents) ? result.contents : [];
  return contents.filter(isRecord).map((content) => {
    const text = typeof content.text === 'string' ? content.text : undefined;
    const blob = typeof content.blob === 'string' ? content.blob : '';
    return {
      mimeType: typeof content.mimeType === 'string' ? content.mimeType : 'unknown',
      text,
      bytes: text === undefined ? bytesOfBase64(blob) : utf8Bytes(text),
    };
  });
}

function bytesOfBase64(blob: string): number {
  return Math.floor((blob.replace(/=+$/, '').length * 3) / 4);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
