// In our own words: Kubernetes' are its documentation, and none of its are in this program.

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

const typed = {
  apiVersion: 'Group and version of the kind, as in `apps/v1`; the core group has no name.',
  kind: 'Kind of the object, in CamelCase. It cannot be changed.',
}

/** What `kubectl explain` says of the fields that all objects have: by definition, then by field, '' being itself. */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  object: { ...typed, metadata: 'What every object has: its name, labels, owners and the like.' },
  list: { ...typed, metadata: 'What every list has: its version, and how to get the next part.' },
  [`${META}.FieldsV1`]: {
    '': 'A set of fields as a tree. A key `f:name` is the field of that name, `k:{…}` the item of a list with these keys, `v:…` the item with this value, `i:…` the item at this place, and `.` the field itself.',
  },
  [`${META}.ListMeta`]: {
    '': 'What every list has.',
    continue: 'Given back as `continue`, it gets the next part of the list. Empty at the end.',
    remainingItemCount: 'How many items follow this part, where that is known.',
    resourceVersion: 'The version at which the list was read: a watch can begin there.',
    selfLink: 'Not used any more.',
    shardInfo: 'Which part of all items this is, where a part was asked for.',
  },
  [`${META}.ManagedFieldsEntry`]: {
    '': 'One writer of an object, and the fields that are its own.',
    apiVersion: 'The version of the kind in which the fields are named.',
    fieldsType: 'The form of the fields; there is only FieldsV1.',
    fieldsV1: 'The fields.',
    manager: 'Who wrote them.',
    operation: 'How: Apply or Update.',
    subresource: 'Through which subresource, if through one.',
    time: 'When the fields or their owner last changed.',
  },
  [`${META}.ObjectMeta`]: {
    '': 'What every object has, whatever its kind.',
    annotations: 'Texts by key that programs keep with the object. They are not used to select.',
    creationTimestamp: 'When the object was created. Set by the server.',
    deletionGracePeriodSeconds:
      'How long the object was given to end. Only while it is being deleted.',
    deletionTimestamp:
      'When the object goes, or should have gone: it is being deleted. Set by the server.',
    finalizers:
      'What has to be done before the object goes. Whoever has done one removes it from here.',
    generateName:
      'The beginning of a name to which the server adds random letters. Only used without a name.',
    generation: 'Counts the changes of what is wanted. Set by the server.',
    labels: 'Short texts by key with which objects are selected.',
    managedFields: 'Which writer owns which fields. Kept by the server for server-side apply.',
    name: 'Unique among the objects of this kind in the namespace. It cannot be changed.',
    namespace:
      'The namespace in which the object is. It cannot be changed; cluster-scoped kinds have none.',
    ownerReferences:
      'The objects that this one belongs to. When all of them are gone, it is deleted too.',
    resourceVersion:
      'Changes with every write. Sent with an update, it refuses the update if somebody else wrote meanwhile.',
    selfLink: 'Not used any more.',
    uid: 'Tells this object from all others, also from one of the same name at another time. Set by the server.',
  },
  [`${META}.OwnerReference`]: {
    '': 'An object that another one belongs to, in the same namespace or without one.',
    apiVersion: 'Group and version of the owner.',
    blockOwnerDeletion: 'Whether an owner that is deleted in the foreground waits for this object.',
    controller: 'Whether this owner is the one that manages the object. At most one is.',
    kind: 'Kind of the owner.',
    name: 'Name of the owner.',
    uid: 'Which object of that name is meant.',
  },
  [`${META}.Time`]: { '': 'A point in time, as in `2026-01-31T12:00:00Z`.' },
}
