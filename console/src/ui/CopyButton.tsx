/** Copies a text, and says that it did. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from './Button';
import { IconButton } from './IconButton';
import { toast } from './Toast';
import './CopyButton.css';

export interface CopyButtonProps {
  text: string;
  /** What is copied: "Copy address". */
  label?: string | undefined;
  /** With its label as text rather than as an icon. */
  wide?: boolean | undefined;
  onCopied?: (() => void) | undefined;
}

export function CopyButton({ text, label = 'Copy', wide = false, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (!(await copyText(text))) {
      toast('The browser does not let this page copy. Select the text and copy it yourself.', { tone: 'bad' });
      return;
    }
    setCopied(true);
    onCopied?.();
  };
  const shown = copied ? 'Copied' : label;
  const icon = copied ? 'check' : 'copy';
  return (
    <span class={copied ? 'copy copy-done' : 'copy'}>
      {wide ? (
        <Button icon={icon} size="small" onClick={copy}>
          {shown}
        </Button>
      ) : (
        <IconButton icon={icon} label={shown} onClick={copy} />
      )}
      <span class="unseen" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </span>
  );
}

/** A value in one line that is cut where it is too long, and the button that copies all of it. */
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

/** `navigator.clipboard` exists on https and localhost only; plain http in a home network has the old way. */
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
  area.className = 'unseen';
  const home = document.querySelector('dialog[open]') ?? document.body;
  home.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
