import { Copy, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

import type { ApiKey } from '../gateway/api-types.ts';
import { explainError } from '../gateway/explain-error.ts';
import { SessionOverError } from '../session/session.ts';
import { IconButton } from '../ui/button.tsx';
import { useNotice } from '../ui/notices.tsx';
import { useRevealKey } from './key-queries.ts';
import './key-text.css';

interface KeyTextProps {
  readonly apiKey: Pick<ApiKey, 'id' | 'name' | 'keyPrefix'>;
}

/** The text of a key: hidden until it is requested, and again when the page is left or the key is rotated. */
export function KeyText({ apiKey }: KeyTextProps) {
  // A rotation changes the prefix; a text that was revealed before is the old one.
  return <CurrentKeyText key={apiKey.keyPrefix} apiKey={apiKey} />;
}

function CurrentKeyText({ apiKey: { id, name, keyPrefix } }: KeyTextProps) {
  const [text, setText] = useState<string>();
  const reveal = useRevealKey(id);
  const notify = useNotice();
  const fetchText = async (use: (text: string) => void | Promise<void>): Promise<void> => {
    try {
      await use(text ?? (await reveal.mutateAsync()));
    } catch (error) {
      if (!(error instanceof SessionOverError)) notify(`The key "${name}" could not be read: ${explainError(error)}`);
    }
  };
  const copy = async (found: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(found);
      notify(`The key "${name}" is in the clipboard.`);
    } catch {
      setText(found);
      notify('The browser did not allow the copy. The key is shown: select and copy it yourself.');
    }
  };
  return (
    <span className="key-text">
      {text === undefined ? (
        <code>
          {keyPrefix}
          <span aria-hidden>••••</span>
          <span className="visually-hidden">… (hidden)</span>
        </code>
      ) : (
        <code className="key-text-shown">{text}</code>
      )}
      <span className="key-text-actions">
        {text === undefined ? (
          <IconButton
            label={`Reveal the key ${name}`}
            icon={<Eye className="icon" aria-hidden />}
            isDisabled={reveal.isPending}
            onPress={() => void fetchText(setText)}
          />
        ) : (
          <IconButton label={`Hide the key ${name}`} icon={<EyeOff className="icon" aria-hidden />} onPress={() => setText(undefined)} />
        )}
        <IconButton
          label={`Copy the key ${name}`}
          icon={<Copy className="icon" aria-hidden />}
          isDisabled={reveal.isPending}
          onPress={() => void fetchText(copy)}
        />
      </span>
    </span>
  );
}

/** The text of a new key, visible, with a copy button. */
export function NewKeyText({ name, text }: { readonly name: string; readonly text: string }) {
  const notify = useNotice();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify(`The key "${name}" is in the clipboard.`);
    } catch {
      notify('The browser did not allow the copy. Select the key and copy it yourself.');
    }
  };
  return (
    <p className="key-new">
      <code className="key-text-shown">{text}</code>
      <IconButton
        variant="secondary"
        label={`Copy the key ${name}`}
        icon={<Copy className="icon" aria-hidden />}
        onPress={() => void copy()}
      />
    </p>
  );
}
