const BLOCK = 512

interface TarFile {
  readonly name: string
  /** Undefined: it is a folder. */
  readonly content: Uint8Array | undefined
  readonly at: Date
}

/** The head of a file or a folder in an archive, as ustar has it. */
export function tarHead({ name, content, at }: TarFile): Buffer {
  const head = Buffer.alloc(BLOCK)
  const put = (text: string, offset: number) => head.write(text, offset, 'latin1')
  put((content ? name : `${name}/`).slice(0, 100), 0)
  put(octal(content ? 0o600 : 0o700, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(content?.length ?? 0, 11), 124)
  put(octal(Math.floor(at.getTime() / 1000), 11), 136)
  put('        ', 148)
  put(content ? '0' : '5', 156)
  put('ustar\u000000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)}\u0000 `, 148)
  return head
}

/** A file or a folder in an archive, filled up to whole blocks. */
export function tarEntry(file: TarFile): Buffer {
  const { content = Buffer.alloc(0) } = file
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
  return Buffer.concat([tarHead(file), content, padding])
}

/** What an archive ends with. */
export const tarEnd: Buffer = Buffer.alloc(2 * BLOCK)

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
