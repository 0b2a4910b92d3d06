const LENGTH_DELIMITED = 2

/** Writes the part of protobuf that texts and messages need. */
export class ProtobufWriter {
  readonly #chunks: Buffer[] = []
  #length = 0

  /** Writes a text; nothing if it is none, or empty. */
  text(field: number, value: unknown): this {
    return typeof value === 'string' && value !== '' ? this.#field(field, Buffer.from(value)) : this
  }

  /** Writes a message, which is there even when `write` writes nothing into it. */
  message(field: number, write: (message: ProtobufWriter) => void): this {
    const message = new ProtobufWriter()
    write(message)
    return this.written(field, message)
  }

  /** Writes a message that has been written already. */
  written(field: number, message: ProtobufWriter): this {
    return this.#field(field, message.finish())
  }

  finish(): Buffer {
    return Buffer.concat(this.#chunks, this.#length)
  }

  #field(field: number, value: Buffer): this {
    return this.#push(varint((field << 3) | LENGTH_DELIMITED))
      .#push(varint(value.length))
      .#push(value)
  }

  #push(chunk: Buffer): this {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    return this
  }
}

/** Seven bits in each byte, the lowest first; the eighth tells that more follow. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest & 127) | 128)
    rest >>>= 7
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
