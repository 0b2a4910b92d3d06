import type { IncomingMessage } from 'node:http'
import { ApiFailure, badRequest } from '#apiserver/failure.ts'

const LARGEST_BODY_BYTES = 3 * 1024 * 1024

/** The whole body of a request; fails when it is larger than an API server of Kubernetes takes. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const tooLarge = () => {
      // What is left of the body is not worth reading: the connection ends with the answer.
      request.removeAllListeners('data').pause()
      reject(bodyTooLarge())
    }
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) return tooLarge()
    request.on('data', (piece: Buffer) => {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > LARGEST_BODY_BYTES) tooLarge()
    })
    request.on('end', () => {
      const [only] = pieces
      resolve(pieces.length === 1 && only ? only : Buffer.concat(pieces))
    })
    request.on('error', () => reject(badRequest('the request was broken off')))
    request.on('aborted', () => reject(badRequest('the request was broken off')))
  })
}

const bodyTooLarge = (): ApiFailure =>
  new ApiFailure(413, `Request entity too large: limit is ${LARGEST_BODY_BYTES}`, {
    reason: 'RequestEntityTooLarge',
  })
