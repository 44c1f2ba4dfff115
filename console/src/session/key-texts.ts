/** Texts that say why the service rejects a key. */

const unknownKeyText = 'Unknown API key. It may have been revoked, or belong to another installation.';

const disabledUserText = 'The user of this API key is disabled. Ask an administrator to enable the user.';

const expiredKeyText =
  'This API key has expired. Use another one, or ask an administrator for a new key (toolgate key create).';

/** The text for the error code of a response with status 401. */
export function rejectedKeyText(code: string): string {
  if (code === 'expired_key') return expiredKeyText;
  return code === 'rest_user_disabled' ? disabledUserText : unknownKeyText;
}
