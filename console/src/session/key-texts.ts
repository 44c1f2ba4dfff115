/** Why a key does not sign in. */

const unknownKeyText = 'Unknown API key. It may have been revoked, or belong to another installation.';

const disabledUserText = 'The user of this API key is disabled. Ask an administrator to enable the user.';

const expiredKeyText =
  'This API key has expired. Use another one, or ask an administrator for a new key (toolgate key create).';

/** Why the service rejects a key (401), by the code of the error. */
export function rejectedKeyText(code: string): string {
  if (code === 'expired_key') return expiredKeyText;
  return code === 'rest_user_disabled' ? disabledUserText : unknownKeyText;
}
