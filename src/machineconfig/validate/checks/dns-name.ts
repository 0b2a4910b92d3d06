const DNS_NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62}(\.[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})*[._]?$/
const LONGEST = 255

/** Whether Talos takes it as the DNS name of a cluster. */
export const isDnsName = (name: string): boolean =>
  Buffer.byteLength(name.replaceAll('.', '')) <= LONGEST && DNS_NAME.test(name)
