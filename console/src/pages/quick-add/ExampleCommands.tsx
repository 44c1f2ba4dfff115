/** Empty state of Quick add, with example commands. */
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

export function ExampleCommands({ onText }: { onText: (text: string) => void }) {
  return (
    <Empty
      icon="terminal"
      title="Paste a working curl command"
      action={examples.map(({ label, curl }) => (
        <Button key={label} size="small" onClick={() => onText(curl)}>
          {label}
        </Button>
      ))}
    >
      You can paste anywhere on this page. The command becomes a tool: you choose which values are fixed and which the
      model fills in. No command at hand? Try an example.
    </Empty>
  );
}
