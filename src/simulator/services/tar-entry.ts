const BLOCK = 512

interface TarFile {
  readonly name: string
  readonly content: Uint8Array
  readonly at: Date
}

/** The head of a file in an archive, as ustar has it. */
export function tarHead({ name, content, at }: TarFile): Buffer {
  const head = Buffer.alloc(BLOCK)
  const put = (text: string, offset: number) => head.write(text, offset, 'latin1')
  put(name.slice(0, 100), 0)
  put(octal(0o600, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(content.length, 11), 124)
  put(octal(Math.floor(at.getTime() / 1000), 11), 136)
  put('        ', 148)
  put('0', 156)
  put('ustar\u000000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)}\u0000 `, 148)
  return head
}

/** A file in an archive, filled up to whole blocks. */
export const tarEntry = (file: TarFile): Buffer =>
  Buffer.concat([
    tarHead(file),
    file.content,
    Buffer.alloc((BLOCK - (file.content.length % BLOCK)) % BLOCK),
  ])

/** What an archive ends with. */
export const tarEnd: Buffer = Buffer.alloc(2 * BLOCK)

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
