/** What tools may reach beside public addresses (`TOOLGATE_UPSTREAM_ALLOW`), said entry by entry. */

export interface EgressEntry {
  rule: string;
  text: string;
}

export function explainEgress(rules: string): EgressEntry[] {
  return rules
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => ({ rule, text: explainRule(rule) }));
}

function explainRule(rule: string): string {
  const { target, port } = splitPort(rule);
  const where = port === undefined ? '' : `, on port ${port} only`;
  if (target === 'loopback') return `This machine itself: 127.0.0.1, localhost${where}.`;
  if (target === 'private') return `Private networks: 10.*, 172.16–31.*, 192.168.*, fc00::/7${where}.`;
  if (target.includes('/')) return `Addresses of the network ${target}${where}.`;
  if (/^[\d.]+$/.test(target) || target.includes(':')) return `The address ${target}${where}.`;
  return `The host ${target}${where}.`;
}

/** An IPv6 address has colons of its own: a port follows it only behind brackets. */
function splitPort(rule: string): { target: string; port: string | undefined } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(rule);
  if (bracketed) return { target: bracketed[1] ?? rule, port: bracketed[2] };
  const plain = /^([^:]+):(\d+)$/.exec(rule);
  return plain ? { target: plain[1] ?? rule, port: plain[2] } : { target: rule, port: undefined };
}
