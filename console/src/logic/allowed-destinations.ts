/** Describes the allowed destinations (`TOOLGATE_UPSTREAM_ALLOW`): the non-public addresses that tools may call. */

export interface AllowedDestination {
  rule: string;
  text: string;
}

export function describeAllowedDestinations(rules: string): AllowedDestination[] {
  return rules
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => ({ rule, text: describeRule(rule) }));
}

function describeRule(rule: string): string {
  const { target, port } = splitPort(rule);
  const portText = port === undefined ? '' : `, on port ${port} only`;
  if (target === 'loopback') return `This machine: 127.0.0.1, localhost${portText}.`;
  if (target === 'private') return `Private networks: 10.*, 172.16–31.*, 192.168.*, fc00::/7${portText}.`;
  if (target.includes('/')) return `The network ${target}${portText}.`;
  if (/^[\d.]+$/.test(target) || target.includes(':')) return `The address ${target}${portText}.`;
  return `The host ${target}${portText}.`;
}

/** An IPv6 address contains colons, so a port is only recognised after brackets. */
function splitPort(rule: string): { target: string; port: string | undefined } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(rule);
  if (bracketed) return { target: bracketed[1] ?? rule, port: bracketed[2] };
  const plain = /^([^:]+):(\d+)$/.exec(rule);
  return plain ? { target: plain[1] ?? rule, port: plain[2] } : { target: rule, port: undefined };
}
