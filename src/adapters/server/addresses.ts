// Parses host names and addresses in URLs and Host headers, and tests whether they name this machine.
import { isIPv4, isIPv6 } from 'node:net'

const hostPattern = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

export const isHost = (host: string): boolean => hostPattern.test(host)

/** The name in a `Host` header, without the port and in lower case; null if the header is invalid. */
export function parseHostName(host: string | undefined): string | null {
  return hostPattern.exec(host ?? '')?.[1]?.toLowerCase() ?? null
}

/** True for a host name or an address without a port; IPv6 with or without brackets. */
export function isHostName(name: unknown): name is string {
  return typeof name === 'string' && (/^[\w.-]+$/.test(name) || isIPv6(name.replace(/^\[(.*)\]$/, '$1')))
}

/** True if a host, as written in URLs, is a loopback name or address. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (name.startsWith('127.') && isIPv4(name))
}

/** An address as written in URLs: IPv6 in brackets, IPv4 without an IPv6 prefix. */
export function addressNameOf(address: string | undefined): string {
  const plain = (address ?? '').toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain
}

/** True if a server that listens on this host can only be reached from this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLoopbackName(addressNameOf(host))
}

/** The host in URLs of a server that listens on it; loopback if it listens on all addresses. */
export function urlHostOf(host: string): string {
  const name = addressNameOf(host)
  return name === '0.0.0.0' ? '127.0.0.1' : name === '[::]' ? '[::1]' : name
}
