/** One block of a PEM text. */
export interface PemBlock {
  readonly label: string
  readonly der: Buffer
}

const BLOCK = /(?:^|\n)-----BEGIN ([^\n-]*)-----\s*\n([A-Za-z0-9+/=\s]*)-----END \1-----/

/** The first block of a text, whatever stands before it. */
export function firstPemBlock(text: string): PemBlock | undefined {
  const [, label, body] = BLOCK.exec(text) ?? []
  if (label === undefined || body === undefined) return undefined
  return { label, der: Buffer.from(body, 'base64') }
}

/** A block as text: lines of 64 letters, and a line break at the end. */
export function pemText({ label, der }: PemBlock): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `${[`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n')}\n`
}
