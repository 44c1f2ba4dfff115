/** The period of a list: presets or custom times, stored in the query string. */
import { useState } from 'preact/hooks';
import { setQuery } from '../app/router';
import { fromDateTimeLocal, toApiTime, toDateTimeLocal } from '../logic/call-filter';
import { Select } from './Select';
import { TextField } from './TextField';

const minuteMs = 60_000;

const presets = [
  { value: 'any', label: 'Any time', ms: undefined },
  { value: '15m', label: 'Last 15 minutes', ms: 15 * minuteMs },
  { value: '1h', label: 'Last hour', ms: 60 * minuteMs },
  { value: '24h', label: 'Last 24 hours', ms: 24 * 60 * minuteMs },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * 60 * minuteMs },
] as const;

type Period = (typeof presets)[number]['value'] | 'custom';

export function PeriodFilter({ from, to }: { from: string; to: string }) {
  // The query string holds times; this state remembers which preset they came from, until they change. `from` is the
  // start of the preset, or 'chosen' if the user selected the custom period.
  const [chosen, setChosen] = useState<{ period: Period; from: string }>({ period: 'custom', from: '' });
  const isEmpty = from === '' && to === '';
  const period: Period = chosen.period !== 'custom' && chosen.from === from && to === '' ? chosen.period : 'custom';
  const isCustom = chosen.period === 'custom' && chosen.from === 'chosen';

  const choose = (next: Period) => {
    const preset = presets.find(({ value }) => value === next);
    const start = preset?.ms === undefined ? '' : toApiTime(new Date(Date.now() - preset.ms));
    setChosen({ period: next, from: next === 'custom' ? 'chosen' : start });
    if (next !== 'custom') setQuery({ from: start, to: undefined, page: undefined });
  };

  const shownPeriod: Period = isEmpty && !isCustom ? 'any' : period;
  return (
    <>
      <Select
        label="Period"
        hideLabel
        value={shownPeriod}
        options={[...presets, { value: 'custom', label: 'Custom period' }]}
        onValue={choose}
      />
      {shownPeriod === 'custom' && (
        <>
          <TimeField label="From" bound="from" value={from} />
          <TimeField label="To" bound="to" value={to} />
        </>
      )}
    </>
  );
}

function TimeField({ label, bound, value }: { label: string; bound: 'from' | 'to'; value: string }) {
  return (
    <TextField
      label={label}
      hideLabel
      type="datetime-local"
      value={toDateTimeLocal(value, bound)}
      onValue={(text) => setQuery({ [bound]: fromDateTimeLocal(text, bound), page: undefined })}
    />
  );
}
