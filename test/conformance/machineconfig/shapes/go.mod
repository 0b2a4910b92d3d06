// Reads the shapes of the machine configuration out of Talos' sources (see shapes-sources.ts).
// It is given the folders of those sources and imports none of them.
module shapes

go 1.24
