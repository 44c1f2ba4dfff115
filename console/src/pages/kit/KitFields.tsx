import { useState } from 'preact/hooks';
import { Card } from '../../ui/Card';
import { CodeEditor } from '../../ui/CodeEditor';
import { KeyValueEditor, type KeyValuePair } from '../../ui/KeyValueEditor';
import { Segmented } from '../../ui/Segmented';
import { Select } from '../../ui/Select';
import { Checkbox, Switch } from '../../ui/Switch';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';

const methods = [
  { value: 'GET', label: 'GET' },
  { value: 'POST', label: 'POST' },
] as const;
const kinds = [
  { value: 'fixed', label: 'Fixed' },
  { value: 'argument', label: 'Argument' },
] as const;

export function KitFields() {
  const [text, setText] = useState('get_weather');
  const [method, setMethod] = useState<'GET' | 'POST'>('GET');
  const [kind, setKind] = useState<'fixed' | 'argument'>('argument');
  const [on, setOn] = useState(true);
  const [pairs, setPairs] = useState<KeyValuePair[]>([{ name: 'Accept', value: 'application/json' }]);
  const [json, setJson] = useState(
    '{\n  "type": "object",\n  "properties": { "city": { "type": "string" } },\n  "required": ["city"]\n}',
  );
  return (
    <Card title="Fields">
      <div class="grid">
        <TextField label="Name" value={text} onValue={setText} hint="What the model calls." mono />
        <TextField
          label="Timeout"
          type="number"
          value="900"
          onValue={setText}
          error="timeout must be between 1 and 300"
        />
        <TextField label="Disabled" value="cannot be changed" onValue={setText} disabled optional />
        <Select label="Method" value={method} options={methods} onValue={setMethod} />
      </div>
      <TextArea label="Description" value={text} onValue={setText} hint="What the model reads." />
      <div class="row">
        <Segmented label="Kind" value={kind} options={kinds} onValue={setKind} />
        <Switch label="Active" checked={on} onValue={setOn} />
        <Switch label="Off" checked={!on} onValue={(off) => setOn(!off)} />
        <Checkbox label="Required" checked={on} onValue={setOn} hint="The client has to send it." />
      </div>
      <KeyValueEditor
        label="Headers"
        pairs={pairs}
        onPairs={setPairs}
        errors={{ Accept: 'This header is set by the service.' }}
      />
      <CodeEditor label="Schema" value={json} onValue={setJson} hint="JSON Schema 2020-12." />
    </Card>
  );
}
