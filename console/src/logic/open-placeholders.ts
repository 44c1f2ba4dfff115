/** Placeholders of a tool's URL that no parameter of the table fills. */
import { readParameters } from './parameters';
import { sendsCredentials, type ToolForm } from './tool-form';
import { placeholdersOf } from './url-template';

export interface OpenPlaceholders {
  /** They need a parameter. */
  missing: string[];
  /** An API key fills them. The name of a stored key is unknown: it may fill all that the saved tool leaves open. */
  filledByKey: string[];
}

export function openPlaceholders(form: ToolForm, saved: ToolForm): OpenPlaceholders {
  const keyNames = new Set(keyPlaceholders(form, saved));
  const open = undeclared(form);
  return {
    missing: open.filter((name) => !keyNames.has(name)),
    filledByKey: open.filter((name) => keyNames.has(name)),
  };
}

function keyPlaceholders(form: ToolForm, saved: ToolForm): string[] {
  if (form.auth_type !== 'api-key') return [];
  if (!sendsCredentials(form, saved)) return undeclared(saved);
  const { key_location, key_name } = form.credentials;
  return key_location === 'path' && key_name !== undefined ? [key_name] : [];
}

function undeclared(form: ToolForm): string[] {
  const { rows, fixedValues } = readParameters(form);
  const declared = new Set([
    ...rows.map(({ name, upstreamName }) => upstreamName || name),
    ...fixedValues.map(({ key, upstreamName }) => upstreamName || key),
  ]);
  return placeholdersOf(form.endpoint_url).filter((name) => !declared.has(name));
}
