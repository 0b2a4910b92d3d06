const BYTES = 30

/** How Kubernetes hints at a body: the start of it if it looks like an object, or else what it is made of. */
export function bodyExcerpt(body: string): string {
  if (body === '') return '<empty>'
  if (body.trimStart().startsWith('{')) {
    return body.length > BYTES ? `${body.slice(0, BYTES)} ...` : body
  }
  const bytes = Buffer.from(body.slice(0, BYTES + 1))
  const start = bytes.subarray(0, BYTES).toString('hex')
  return bytes.length > BYTES ? `${start} ...` : start
}
