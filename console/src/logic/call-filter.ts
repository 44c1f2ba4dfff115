/** The filters of the log, which the address carries as the API has them. */
import { type CallStatus, isCallStatus } from './call-status';

export interface CallFilter {
  server: number | undefined;
  tool: number | undefined;
  client: string;
  status: CallStatus;
  /** UTC, a day or a moment. */
  from: string;
  to: string;
}

/** What the API would refuse is left out. */
export function readCallFilter(query: URLSearchParams): CallFilter {
  const status = query.get('status') ?? '';
  return {
    server: readId(query.get('server')),
    tool: readId(query.get('tool')),
    client: (query.get('client') ?? '').slice(0, 200),
    status: isCallStatus(status) ? status : '',
    from: readMoment(query.get('from')),
    to: readMoment(query.get('to')),
  };
}

export function isFiltered(filter: CallFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

export function readId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

function readMoment(text: string | null): string {
  if (text === null || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(text)) return '';
  return Number.isNaN(Date.parse(text)) ? '' : text;
}

/** A moment as the API takes it: UTC, to the second. */
export function toMoment(time: Date): string {
  return time.toISOString().slice(0, 19);
}

/** What a field for date and time shows, in the reader's zone, of a moment in UTC; of a day its first second or its last. */
export function toLocalField(moment: string, edge: 'from' | 'to'): string {
  if (moment === '') return '';
  const whole = moment.length === 10 ? `${moment}T${edge === 'from' ? '00:00:00' : '23:59:59'}` : moment;
  const time = new Date(`${whole}Z`);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment in UTC that was typed in the reader's zone. The minute that a range ends with belongs to it. */
export function fromLocalField(text: string, edge: 'from' | 'to'): string {
  if (text === '') return '';
  const time = new Date(`${text.slice(0, 16)}:${edge === 'from' ? '00' : '59'}`);
  return Number.isNaN(time.getTime()) ? '' : toMoment(time);
}
