/** Nothing pasted yet: a command to begin with. */
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';

const examples = [
  { label: 'A search', curl: "curl 'https://api.github.com/search/repositories?q=mcp&per_page=5'" },
  {
    label: 'A POST with a key',
    curl: [
      "curl -X POST 'https://api.example.com/v1/users/42/orders?notify=true' \\",
      "  -H 'Content-Type: application/json' \\",
      "  -H 'Authorization: Bearer tok_123' \\",
      `  -d '{"item": "tea", "count": 2}'`,
    ].join('\n'),
  },
];

export function FirstCommand({ onText }: { onText: (text: string) => void }) {
  return (
    <Empty
      icon="terminal"
      title="Paste a curl command that works"
      action={examples.map(({ label, curl }) => (
        <Button key={label} size="small" onClick={() => onText(curl)}>
          {label}
        </Button>
      ))}
    >
      Anywhere on this page will do. It becomes a tool: you say which values stay as they are and which the model fills
      in. No command at hand? Look at an example.
    </Empty>
  );
}
