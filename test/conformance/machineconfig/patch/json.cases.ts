import { type PatchCase, patching } from './patch-case.ts'

const base = `version: v1alpha1
machine:
  type: worker
  certSANs: [a, b, c]
  sysctls: {x/y: "1", t~u: "2"}
  kubelet: {image: k, extraArgs: null}
`
const one = (operation: string): string => `[{${operation}}]`

/** JSON patches (RFC 6902). */
export const jsonCases: readonly PatchCase[] = [
  patching('add sets a key', base, one('"op": "add", "path": "/machine/token", "value": "a"')),
  patching(
    'add replaces a key',
    base,
    one('"op": "add", "path": "/machine/type", "value": "controlplane"'),
  ),
  patching(
    'add inserts into a list',
    base,
    one('"op": "add", "path": "/machine/certSANs/1", "value": "z"'),
  ),
  patching(
    'add appends to a list',
    base,
    one('"op": "add", "path": "/machine/certSANs/-", "value": "z"'),
  ),
  patching(
    'add inserts counted from the end',
    base,
    one('"op": "add", "path": "/machine/certSANs/-1", "value": "z"'),
  ),
  patching(
    'add at the end of a list',
    base,
    one('"op": "add", "path": "/machine/certSANs/3", "value": "z"'),
  ),
  patching(
    'add beyond a list is refused',
    base,
    one('"op": "add", "path": "/machine/certSANs/9", "value": "z"'),
  ),
  patching(
    'add at no index is refused',
    base,
    one('"op": "add", "path": "/machine/certSANs/x", "value": "z"'),
  ),
  patching(
    'add below nothing is refused',
    base,
    one('"op": "add", "path": "/cluster/x", "value": "z"'),
  ),
  patching(
    'add below a text is refused',
    base,
    one('"op": "add", "path": "/machine/type/x", "value": "z"'),
  ),
  patching(
    'add below null is refused',
    base,
    one('"op": "add", "path": "/machine/kubelet/extraArgs/x", "value": "z"'),
  ),
  patching(
    'add of an object',
    base,
    one(
      '"op": "add", "path": "/cluster", "value": {"clusterName": "c", "network": {"podSubnets": ["a"]}}',
    ),
  ),
  patching('add without a value is null', base, one('"op": "add", "path": "/machine/token"')),
  patching('add without a path is refused', base, one('"op": "add", "value": "a"')),
  patching('add to the whole is refused', base, one('"op": "add", "path": "", "value": {}')),
  patching('remove of a key', base, one('"op": "remove", "path": "/machine/type"')),
  patching('remove of an item', base, one('"op": "remove", "path": "/machine/certSANs/0"')),
  patching('remove of the last item', base, one('"op": "remove", "path": "/machine/certSANs/-1"')),
  patching(
    'remove of an item that is not there is refused',
    base,
    one('"op": "remove", "path": "/machine/certSANs/5"'),
  ),
  patching(
    'remove of a key that is not there is refused',
    base,
    one('"op": "remove", "path": "/machine/token"'),
  ),
  patching('remove below nothing is refused', base, one('"op": "remove", "path": "/cluster/x"')),
  patching('remove without a path is refused', base, one('"op": "remove"')),
  patching(
    'slashes and tildes are escaped',
    base,
    '[{"op": "remove", "path": "/machine/sysctls/x~1y"}, {"op": "replace", "path": "/machine/sysctls/t~0u", "value": "9"}]',
  ),
  patching(
    'replace of a key',
    base,
    one('"op": "replace", "path": "/machine/kubelet/image", "value": "z"'),
  ),
  patching(
    'replace of a key that is not there adds it',
    base,
    one('"op": "replace", "path": "/machine/token", "value": "z"'),
  ),
  patching(
    'replace of an item',
    base,
    one('"op": "replace", "path": "/machine/certSANs/1", "value": "z"'),
  ),
  patching(
    'replace of an item that is not there is refused',
    base,
    one('"op": "replace", "path": "/machine/certSANs/7", "value": "z"'),
  ),
  patching(
    'replace below nothing is refused',
    base,
    one('"op": "replace", "path": "/cluster/a", "value": "z"'),
  ),
  patching(
    'replace of the whole',
    base,
    one('"op": "replace", "path": "", "value": {"machine": {"type": "controlplane"}}'),
  ),
  patching(
    'replace of the whole by a text is refused',
    base,
    one('"op": "replace", "path": "", "value": "x"'),
  ),
  patching(
    'move of a key',
    base,
    one('"op": "move", "from": "/machine/kubelet/image", "path": "/machine/token"'),
  ),
  patching(
    'move of nothing is refused',
    base,
    one('"op": "move", "from": "/machine/token", "path": "/machine/type"'),
  ),
  patching(
    'move from below nothing is refused',
    base,
    one('"op": "move", "from": "/cluster/token", "path": "/machine/type"'),
  ),
  patching(
    'move to below nothing is refused',
    base,
    one('"op": "move", "from": "/machine/type", "path": "/cluster/a"'),
  ),
  patching('move without from is refused', base, one('"op": "move", "path": "/cluster/a"')),
  patching(
    'copy of a list',
    base,
    one('"op": "copy", "from": "/machine/certSANs", "path": "/machine/acceptedCAs"'),
  ),
  patching(
    'copy of nothing is null',
    base,
    one('"op": "copy", "from": "/machine/token", "path": "/machine/other"'),
  ),
  patching(
    'copy from below nothing is refused',
    base,
    one('"op": "copy", "from": "/cluster/token", "path": "/machine/other"'),
  ),
  patching(
    'copy of an item that is not there is refused',
    base,
    one('"op": "copy", "from": "/machine/certSANs/7", "path": "/machine/other"'),
  ),
  patching(
    'copy to below nothing is refused',
    base,
    one('"op": "copy", "from": "/machine/type", "path": "/cluster/other"'),
  ),
  patching(
    'a test that passes',
    base,
    one('"op": "test", "path": "/machine/certSANs", "value": ["a", "b", "c"]'),
  ),
  patching(
    'a test that fails',
    base,
    one('"op": "test", "path": "/machine/type", "value": "controlplane"'),
  ),
  patching(
    'a test of nothing for null passes',
    base,
    one('"op": "test", "path": "/machine/token", "value": null'),
  ),
  patching(
    'a test below nothing fails',
    base,
    one('"op": "test", "path": "/cluster/token", "value": "a"'),
  ),
  patching(
    'a test of an item that is not there fails',
    base,
    one('"op": "test", "path": "/machine/certSANs/7", "value": "a"'),
  ),
  patching('a test without a path fails', base, one('"op": "test", "value": "a"')),
  patching('an unknown operation is refused', base, one('"op": "merge", "path": "/machine"')),
  patching('no operation is refused', base, one('"path": "/machine"')),
  patching('a null operation is refused', base, '[null]'),
  patching('an empty list does nothing but sort', base, '[]'),
  patching('an operation is no text', base, '["add"]'),
  patching('broken JSON is refused', base, '[{"op": "add", "path": ]'),
  patching(
    'operations may be YAML',
    base,
    '- op: add\n  path: /machine/token\n  value: a\n- op: remove\n  path: /machine/type\n',
  ),
  patching(
    'values in YAML keep their types',
    base,
    '- op: add\n  path: /machine/x\n  value: {a: 1, b: true, c: 1.5, d: "5", e: null, f: [x, {g: h}]}\n',
  ),
  patching(
    'an unknown key is not noticed',
    base,
    one('"op": "add", "path": "/machine/foo", "value": {"b": [1, {"c": null}], "a": "x: y"}'),
  ),
  patching(
    'but by the patch that comes after it',
    base,
    one('"op": "add", "path": "/machine/foo", "value": "x"'),
    'machine: {token: a}',
  ),
  patching(
    'a strategic patch after a JSON patch',
    base,
    one('"op": "add", "path": "/machine/token", "value": "a"'),
    'machine: {certSANs: [z]}',
  ),
  patching(
    'a JSON patch after a strategic patch',
    base,
    'machine: {certSANs: [z]}',
    one('"op": "add", "path": "/machine/certSANs/0", "value": "y"'),
  ),
  patching(
    'JSON patches one after another',
    base,
    one('"op": "add", "path": "/machine/token", "value": "a"'),
    one('"op": "test", "path": "/machine/token", "value": "a"'),
  ),
  patching(
    'several documents are refused',
    `${base}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n`,
    one('"op": "add", "path": "/machine/token", "value": "a"'),
  ),
  patching(
    'several documents of a patch before are refused',
    base,
    'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n',
    one('"op": "add", "path": "/machine/token", "value": "a"'),
  ),
  patching(
    'a single document of another kind',
    'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n',
    one('"op": "replace", "path": "/auto", "value": "off"'),
  ),
  patching(
    'texts of YAML 1.1 are what they were there',
    'a: {y: 1, "n": 2, on: off, z: 0o17, o: 017, b: 0b11, h: 0x1f, s: "yes", t: 2001-01-01, u: ~, e: 1e3}\n',
    one('"op": "add", "path": "/x", "value": "no"'),
  ),
  patching(
    'what it is a patch of does not matter',
    '[a, b]\n',
    one('"op": "add", "path": "/0", "value": "c"'),
  ),
  patching(
    'texts of many kinds are written so that they are read back',
    'a: b\n',
    one(
      '"op": "add", "path": "/x", "value": ["", " ", "a: b", "- a", "#", "a #b", "true", "null", "1", "0x1", "1.5", "~", "@a", "%a", "\'", "\\"", "a\\nb", "a\\nb\\n", " a\\nb", "é", "\\u0007", "{a}", "[a]", "*a", "&a", "!a", "|", ">", "?", "-", "yes", "1:30", "2001-01-01", "a\\tb", "="]',
    ),
  ),
  patching(
    'long texts are folded',
    'a: b\n',
    one(
      `"op": "add", "path": "/x", "value": {"a": "${'word '.repeat(40)}end", "b": ["${'word: '.repeat(40)}end"], "c": "${'x'.repeat(200)}", "${'k'.repeat(130)}": {"a": "b"}}`,
    ),
  ),
  patching(
    'texts of several lines are blocks',
    'a: b\n',
    one(
      '"op": "add", "path": "/x", "value": {"a": "b\\n  c\\n\\nd\\n\\n", "e": ["f\\n g"], "h": {"i": [["j\\nk"], {"l": "m\\nn\\n"}]}, "p": "q \\nr"}',
    ),
  ),
  patching(
    'file modes are numbers to a JSON patch',
    'machine: {files: [{path: /a, permissions: 0o644, content: "x\\ny\\n"}]}',
    'machine: {token: a}',
    one('"op": "add", "path": "/machine/files/0/op", "value": "create"'),
    'machine: {token: b}',
  ),
]
