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

  it('are not there twice', () => {
    const twice = [document('HostnameConfig'), document('HostnameConfig')]
    const nameless = [document('LinkConfig'), document('LinkConfig')]

    expect(() => checkDocuments(twice)).toThrow('duplicate document: HostnameConfig/')
    expect(() => checkDocuments(nameless)).toThrow('duplicate document: LinkConfig/')
  })
})
