/** Date range: presets or custom dates. */
import { setQuery } from '../../app/router';
import { utcDay } from '../../logic/format';
import { type DayRange, type RangeName, rangePresets } from '../../logic/range';
import { Segmented } from '../../ui/Segmented';
import { TextField } from '../../ui/TextField';

const options = [...rangePresets, { value: 'custom', label: 'Custom' }] as const;

export function RangePicker({ range }: { range: DayRange }) {
  const choose = (name: RangeName) => {
    // A custom range starts from the current one.
    if (name === 'custom') setQuery({ range: undefined, from: range.from, to: range.to, page: undefined });
    else setQuery({ range: name, from: undefined, to: undefined, page: undefined });
  };
  return (
    <>
      <Segmented label="Range" value={range.name} options={options} onValue={choose} />
      {range.name === 'custom' && (
        <>
          <DayField label="From" name="from" value={range.from} />
          <DayField label="To" name="to" value={range.to} />
        </>
      )}
    </>
  );
}

function DayField({ label, name, value }: { label: string; name: 'from' | 'to'; value: string }) {
  return (
    <TextField
      label={label}
      hideLabel
      type="date"
      value={value}
      max={utcDay(new Date())}
      onValue={(day) => day !== '' && setQuery({ [name]: day, page: undefined })}
    />
  );
}
