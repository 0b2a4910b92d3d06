/** Texts that talosctl v1.13.0 refuses too, and what we say. */
export type RefusedCase = readonly [text: string, why: string]

export const syntaxRefused: readonly RefusedCase[] = [
  ['', 'config not found'],
  ['# nothing\n', 'config not found'],
  ['---\n---\n', 'config not found'],
  [
    'a: b: c\n',
    'decode error: yaml: line 1, column 5: mapping values are not allowed in this context',
  ],
  [
    'machine:\n\ttype: worker\n',
    'decode error: yaml: while scanning for the next token at line 2: found character that cannot start any token',
  ],
  [
    'machine: [a\n',
    "decode error: yaml: while parsing a flow sequence at line 1, column 10: line 2: did not find expected ',' or ']'",
  ],
  [
    'machine: {a: b\n',
    "decode error: yaml: while parsing a flow mapping at line 1, column 10: line 2: did not find expected ',' or '}'",
  ],
  [
    'machine: "a\n',
    'decode error: yaml: while scanning a quoted scalar at line 1, column 10: line 2: found unexpected end of stream',
  ],
  [
    "machine: 'a\n",
    'decode error: yaml: while scanning a quoted scalar at line 1, column 10: line 2: found unexpected end of stream',
  ],
  [
    'machine:\n  type: worker\n token: a\n',
    'decode error: yaml: while parsing a block mapping at line 3, column 2: did not find expected key',
  ],
  [
    'machine:\n- a\nb\n',
    "decode error: yaml: while scanning a simple key at line 3: line 4: could not find expected ':'",
  ],
  [
    'machine: *nowhere\n',
    'decode error: yaml: while composing an alias at line 1, column 10: line 1, column 18: unknown anchor referenced',
  ],
  [
    'machine: &a [*a]\n',
    'decode error: yaml: while composing an alias at line 1, column 14: line 1, column 16: an anchor contains itself',
  ],
  [
    '%FOO\n---\na: b\n',
    'decode error: yaml: while scanning a directive at line 1: found unknown directive name',
  ],
  [
    'machine: @a\n',
    'decode error: yaml: while scanning for the next token at line 1, column 10: found character that cannot start any token',
  ],
  [
    'machine: "\\q"\n',
    'decode error: yaml: while scanning a quoted scalar at line 1, column 10: line 1, column 11: found unknown escape character',
  ],
  [
    'machine: |x\n  a\n',
    'decode error: yaml: while scanning a block scalar at line 1, column 10: line 1, column 11: did not find expected comment or line break',
  ],
  ['a\n---\nb: c\n', 'expected a YAML document at line 1'],
  ['- a\n', 'expected a YAML document at line 1'],
  ['text\n', 'expected a YAML document at line 1'],
  ['[a]\n', 'expected a YAML document at line 1'],
  ['5\n', 'expected a YAML document at line 1'],
  [
    'machine:\n  - a\n  b: c\n',
    "decode error: yaml: while parsing a block collection at line 2, column 3: line 3, column 3: did not find expected '-' indicator",
  ],
  [
    'a: b\nc\n',
    "decode error: yaml: while scanning a simple key at line 2: line 3: could not find expected ':'",
  ],
  [
    'machine: {a: b}}\n',
    'decode error: yaml: while parsing a block mapping at line 1, column 16: did not find expected key',
  ],
  [
    'machine: "a" b\n',
    'decode error: yaml: while parsing a block mapping at line 1, column 14: did not find expected key',
  ],
  [
    'machine:\n  type: worker\n...\nmachine: {}\n',
    'decode error: yaml: line 4: did not find expected <document start>',
  ],
]

export const kindsRefused: readonly RefusedCase[] = [
  ['a: b\n', 'error decoding document /v1alpha1/ (line 1): missing kind'],
  ['? a\n', 'error decoding document /v1alpha1/ (line 1): missing kind'],
  [
    'kind: VolumeConfig\nname: x\n',
    'error decoding document /VolumeConfig/x (line 1): missing apiVersion',
  ],
  [
    'apiVersion: v1alpha1\n',
    `error decoding document v1alpha1/v1alpha1/ (line 1): unknown keys found during decoding:
apiVersion: …
`,
  ],
  [
    'apiVersion: v1alpha2\nname: x\n',
    'error decoding document v1alpha2/v1alpha1/x (line 1): missing kind',
  ],
  [
    'apiVersion: v1alpha1\nkind: NoSuchConfig\nname: x\n',
    'error decoding document v1alpha1/NoSuchConfig/x (line 1): "NoSuchConfig" "v1alpha1": not registered',
  ],
  [
    'apiVersion: v2\nkind: VolumeConfig\nname: x\n',
    'error decoding document v2/VolumeConfig/x (line 1): "VolumeConfig" "v2": not registered',
  ],
  [
    'kind:\napiVersion: v1alpha1\nname: x\n',
    `error decoding document v1alpha1/v1alpha1/x (line 1): unknown keys found during decoding:
apiVersion: …
kind: …
name: …
`,
  ],
  [
    'kind: [a]\napiVersion: v1alpha1\n',
    `error decoding document v1alpha1/v1alpha1/ (line 1): kind decode: yaml: construct errors:
  line 1: cannot construct !!seq into string`,
  ],
  [
    'apiVersion: {a: b}\nkind: VolumeConfig\n',
    `error decoding document /VolumeConfig/ (line 1): version decode: yaml: construct errors:
  line 1: cannot construct !!map into string`,
  ],
  [
    'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: b\n',
    'duplicate document v1alpha1/HostnameConfig/ is not allowed (line 5)',
  ],
  [
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: b\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: a\n',
    'duplicate document v1alpha1/LinkConfig/a is not allowed (line 9)',
  ],
  ['machine: {}\n---\ncluster: {}\n', 'duplicate document /v1alpha1/ is not allowed (line 3)'],
  [
    'machine: {}\nkind: HostnameConfig\n',
    `error decoding document /HostnameConfig/ (line 1): unknown keys found during decoding:
machine: {}
`,
  ],
  ['version: v1alpha1\n', 'error decoding document /v1alpha1/ (line 1): missing kind'],
  [
    'machine: {}\napiVersion: v1alpha2\n',
    'error decoding document v1alpha2/v1alpha1/ (line 1): missing kind',
  ],
]

export const unknownKeysRefused: readonly RefusedCase[] = [
  [
    'machine:\n  foo: bar\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    foo: …
`,
  ],
  [
    'machine:\n  kubelet:\n    nodeIP: {a: [1, {b: c}], d: {}}\n    other: |\n      text\n  network:\n    interfaces:\n    - interface: eth0\n      bogus: 1\n    - {interface: eth1, more: ~}\ncluster:\n  "y": n\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
cluster:
    "y": …
machine:
    kubelet:
        nodeIP:
            a:
                - …
                - b: …
            d: {}
        other: …
    network:
        interfaces:
            - bogus: …
            - more: …
`,
  ],
  [
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\nmtu: 5\nMTU: 6\n',
    `error decoding document v1alpha1/LinkConfig/a (line 1): unknown keys found during decoding:
MTU: …
`,
  ],
  [
    'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nprovisioning: {min: 1}\n',
    `error decoding document v1alpha1/VolumeConfig/EPHEMERAL (line 1): unknown keys found during decoding:
provisioning:
    min: …
`,
  ],
  [
    'machine:\n  ca: {crt: dGVzdA==, Key: dGVzdA==}\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    ca:
        Key: …
`,
  ],
  [
    'machine: {}\n<<: {cluster: {}}\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
"<<":
    cluster: {}
`,
  ],
  [
    'machine:\n  registries: {mirrors: {docker.io: {endpoint: x}}}\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    registries:
        mirrors:
            docker.io:
                endpoint: …
`,
  ],
  [
    'machine:\n  ~: b\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    "~": …
`,
  ],
  [
    'machine: {type: worker, extra: {a: "multi\\nline", 10: a, 9: b}}\n',
    `error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    extra:
        "9": …
        "10": …
        a: …
`,
  ],
]
