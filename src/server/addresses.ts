// Host names and addresses in URLs and Host headers, and which of them name this machine.
import { isIPv4 } from 'node:net'

const hostPattern = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** Name of a `Host` header without its port, in lower case; null for an invalid one. */
export function hostName(host: string | undefined): string | null {
  return hostPattern.exec(host ?? '')?.[1]?.toLowerCase() ?? null
}

/** Whether a name or an address, as written in URLs, is a loopback one. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (name.startsWith('127.') && isIPv4(name))
}

/** The address of a peer as written in URLs: IPv6 in brackets, IPv4 without its IPv6 prefix. */
export function addressName(address: string | undefined): string {
  const plain = (address ?? '').toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain
}

/** Whether a server that listens there can only be reached from this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLoopbackName(addressName(host))
}

/** The host for URLs of a server that listens there: loopback for one that listens on all addresses. */
export function urlHost(host: string): string {
  const name = addressName(host)
  return name === '0.0.0.0' ? '127.0.0.1' : name === '[::]' ? '[::1]' : name
}
