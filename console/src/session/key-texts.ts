/** Why a key does not sign in. */

export const unknownKeyText = 'Unknown API key. It may have been revoked, or belong to another installation.';

export const expiredKeyText =
  'This API key has expired. Use another one, or ask an administrator for a new key (toolgate key create).';
