/** Copies a text to the clipboard. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from './Button';
import { IconButton } from './IconButton';
import { toast } from './Toast';
import './CopyButton.css';

/** How long the button says "Copied". */
const copiedMs = 1600;

export interface CopyButtonProps {
  text: string;
  /** "Copy URL". */
  label?: string | undefined;
  /** Shows the label as text, not only as an icon. */
  wide?: boolean | undefined;
  onCopied?: (() => void) | undefined;
}

export function CopyButton({ text, label = 'Copy', wide = false, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (!(await copyText(text))) {
      toast('Your browser does not allow copying here. Select the text and copy it manually.', { tone: 'bad' });
      return;
    }
    setCopied(true);
    onCopied?.();
  };
  const shownLabel = copied ? 'Copied' : label;
  const icon = copied ? 'check' : 'copy';
  return (
    <span class={copied ? 'copy copy-done' : 'copy'}>
      {wide ? (
        <Button icon={icon} size="small" onClick={copy}>
          {shownLabel}
        </Button>
      ) : (
        <IconButton icon={icon} label={shownLabel} onClick={copy} />
      )}
      <span class="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </span>
  );
}

/** A truncated single-line value with a button that copies it in full. */
export function CopyText({ text, label }: { text: string; label?: string | undefined }) {
  return (
    <span class="copy-text">
      <code class="truncate" title={text}>
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** `navigator.clipboard` only exists on https and localhost; plain http uses the deprecated command. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  const container = document.querySelector('dialog[open]') ?? document.body;
  container.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
