import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { peerCertificate } from './peer-certificate.ts'
import { createAuthority, createKey, issueCertificate } from './x509.ts'

const validity = { notBefore: new Date('2020-01-01'), notAfter: new Date('2090-01-01') }

/** The client's end of a connection to a server that shows itself and its authority. */
async function aConnection(): Promise<TLSSocket> {
  const authority = createAuthority('authority', createKey(), validity)
  const request = { commonName: 'x', hosts: ['127.0.0.1'], usage: 'server', validity } as const
  const { certificate, key } = issueCertificate(authority, request)
  const chain = `${certificate.trim()}\n${authority.certificate}`
  const server = createServer({ cert: chain, key: key.open() }, (socket) => {
    socket.on('error', () => {}) // the client leaves when the test is over
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as it listens to a port
  const socket = connect({ host: '127.0.0.1', port, ca: authority.certificate })
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  await once(socket, 'secureConnect')
  return socket
}

test('it is the same one each time, and the chain that came with it stays whole', async () => {
  const socket = await aConnection()

  const [first, second] = [peerCertificate(socket), peerCertificate(socket)]
  expect([first?.subject, second?.subject]).toEqual(['CN=x', 'CN=x'])
  const { subject, issuerCertificate } = socket.getPeerCertificate(true)
  expect([subject.CN, issuerCertificate.subject.CN]).toEqual(['x', 'authority'])
})

test('there is none once the connection has ended', async () => {
  const socket = await aConnection()
  socket.destroy()
  await once(socket, 'close')

  expect(peerCertificate(socket)).toBeUndefined()
})
