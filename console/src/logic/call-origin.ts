/** The address from which a call was made. */

/** Whether a text is an IPv4 or IPv6 address; the API rejects other text. */
export function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return true;
  return /^[0-9a-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
}
