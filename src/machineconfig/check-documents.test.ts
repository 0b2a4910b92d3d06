import { describe, expect, it } from 'vitest'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { checkDocuments } from './check-documents.ts'

const document = (name: string, fields = {}) => {
  const kind = documentKind(name)
  if (!kind) throw new Error(`no kind ${name}`)
  return { kind, fields }
}

describe('the documents of a configuration', () => {
  it.each([
    [['', 'HostnameConfig', 'LinkConfig']],
    [['LinkConfig', 'Layer2VIPConfig', 'UserVolumeConfig']],
  ])('%j go together', (kinds) => {
    expect(() => checkDocuments(kinds.map((kind) => document(kind, { name: 'a' })))).not.toThrow()
  })

  it.each([
    ['BondConfig', 'BridgeConfig'],
    ['WireguardConfig', 'VRFConfig'],
    ['HCloudVIPConfig', 'Layer2VIPConfig'],
    ['Layer2VIPConfig', 'HCloudVIPConfig'],
    ['ExistingVolumeConfig', 'UserVolumeConfig'],
    ['UserVolumeConfig', 'ExistingVolumeConfig'],
  ])('%s and %s of one name shut one another out', (one, other) => {
    const [first, second] = [document(one, { name: 'a' }), document(other, { name: 'a' })]

    expect(() => checkDocuments([first, second])).toThrow(
      `conflicting documents: ${one}/a and ${other}/a`,
    )
    expect(() => checkDocuments([first, document(other, { name: 'b' })])).not.toThrow()
  })

  const veth = (name: string, peer: string) =>
    document('VethConfig', { name, peer: { name: peer } })
  const link = document('LinkConfig', { name: 'b' })

  it.each([
    [[veth('a', 'b'), veth('b', 'c')], 'VethConfig/a and VethConfig/b both configure "b"'],
    [[veth('a', 'b'), veth('c', 'b')], 'VethConfig/a and VethConfig/c both configure "b"'],
    [[veth('a', 'b'), link], 'VethConfig/a and LinkConfig/b both configure "b"'],
    [[link, veth('a', 'b')], 'LinkConfig/b and VethConfig/a both configure "b"'],
    [[veth('a', 'a')], 'VethConfig/a and VethConfig/a both configure "a"'],
  ])('%j make a link twice', (documents, said) => {
    expect(() => checkDocuments(documents)).toThrow(`conflicting link configurations: ${said}`)
  })

  it('may make links and name them elsewhere', () => {
    const ethernet = document('EthernetConfig', { name: 'b' })

    expect(() => checkDocuments([veth('a', 'b'), veth('c', 'd'), ethernet])).not.toThrow()
  })

  it('are not there twice', () => {
    const twice = [document('HostnameConfig'), document('HostnameConfig')]
    const nameless = [document('LinkConfig'), document('LinkConfig')]

    expect(() => checkDocuments(twice)).toThrow('duplicate document: HostnameConfig/')
    expect(() => checkDocuments(nameless)).toThrow('duplicate document: LinkConfig/')
  })
})
