/** Filters of the call log. The query string uses the parameter names of the API. */
import { isAddress } from './call-origin';
import { isStatusFilter, type StatusFilter } from './call-status';
import { readCaller } from './caller';
import { readId } from './id';

/** The API rejects longer client names. */
const clientNameMax = 200;

export interface CallFilter {
  server: number | undefined;
  tool: number | undefined;
  client: string;
  /** `user:7`, `subject:9`, `key:4` or `none`; empty for all. */
  caller: string;
  client_address: string;
  status: StatusFilter;
  /** UTC; a day or a time; empty for no bound. */
  from: string;
  to: string;
}

/** Drops values that the API would reject, and shortens a long client name. */
export function readCallFilter(query: URLSearchParams): CallFilter {
  const status = query.get('status') ?? '';
  return {
    server: readId(query.get('server')),
    tool: readId(query.get('tool')),
    client: (query.get('client') ?? '').slice(0, clientNameMax),
    caller: readCaller(query.get('caller')) || callerOfKey(readId(query.get('endpoint_key_id'))),
    client_address: readAddress(query.get('client_address')),
    status: isStatusFilter(status) ? status : '',
    from: readTime(query.get('from')),
    to: readTime(query.get('to')),
  };
}

export function isFiltered(filter: CallFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** Older links name the endpoint key instead of the caller. */
function callerOfKey(key: number | undefined): string {
  return key === undefined ? '' : `key:${key}`;
}

function readAddress(text: string | null): string {
  return text !== null && isAddress(text) ? text : '';
}

/** A time or a day from the query string; empty if it is missing or invalid. */
export function readTime(text: string | null): string {
  if (text === null || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(text)) return '';
  return Number.isNaN(Date.parse(text)) ? '' : text;
}

/** Formats a time for the API: UTC, to the second. */
export function toApiTime(time: Date): string {
  return time.toISOString().slice(0, 19);
}

/** Converts a UTC time to a `datetime-local` value in the user's time zone; a day becomes its first or last minute. */
export function toDateTimeLocal(time: string, bound: 'from' | 'to'): string {
  if (time === '') return '';
  const timestamp = time.length === 10 ? `${time}T${bound === 'from' ? '00:00:00' : '23:59:59'}` : time;
  const date = new Date(`${timestamp}Z`);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts a `datetime-local` value to UTC. The end of a range includes its last minute. */
export function fromDateTimeLocal(text: string, bound: 'from' | 'to'): string {
  if (text === '') return '';
  const time = new Date(`${text.slice(0, 16)}:${bound === 'from' ? '00' : '59'}`);
  return Number.isNaN(time.getTime()) ? '' : toApiTime(time);
}
