// Writes proofs.txt and notes.txt beside it: every root and proof of every tree to 256 leaves by two implementations
// of others, which must agree, and signed notes by theirs. The tests compare ours with what stands there.
//
//	go mod init vectors
//	go get golang.org/x/mod@v0.42.0 github.com/transparency-dev/merkle@v0.0.2 github.com/transparency-dev/formats@v0.1.1
//	go run . > proofs.txt && go run . notes > notes.txt
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const most = 256

func must[T any](found T, err error) T {
	if err != nil {
		panic(err)
	}
	return found
}

func check(good bool, what string, at ...int) {
	if !good {
		panic(fmt.Sprint(what, at))
	}
}

func main() {
	if len(os.Args) > 1 {
		notes()
		return
	}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(at))
		for i, each := range at {
			found[i] = stored[each]
		}
		return found, nil
	})
	var leaves [][]byte
	nodes := map[compact.NodeID][]byte{}
	grown := (&compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}).NewEmptyRange(0)
	roots := [][]byte{rfc6962.DefaultHasher.EmptyRoot()}
	fmt.Println("# size, root, SHA-256 over all paths of inclusion in it, and over all paths of consistency to it")
	fmt.Println("# golang.org/x/mod v0.42.0 (sumdb/tlog) and github.com/transparency-dev/merkle v0.0.2 agree on each")
	for size := 1; size <= most; size++ {
		data := []byte(fmt.Sprintf("leaf %d", size-1))
		stored = append(stored, must(tlog.StoredHashes(int64(size-1), data, reader))...)
		leaf := rfc6962.DefaultHasher.HashLeaf(data)
		leaves = append(leaves, leaf)
		visit := func(id compact.NodeID, hash []byte) { nodes[id] = hash }
		visit(compact.NewNodeID(0, uint64(size-1)), leaf)
		if err := grown.Append(leaf, visit); err != nil {
			panic(err)
		}
		root := must(grown.GetRootHash(nil))
		theirs := must(tlog.TreeHash(int64(size), reader))
		check(bytes.Equal(root, theirs[:]), "roots differ", size)
		roots = append(roots, root)
		included, consistent := sha256.New(), sha256.New()
		for index := 0; index < size; index++ {
			one := must(tlog.ProveRecord(int64(size), int64(index), reader))
			other := must(proof.Inclusion(uint64(index), uint64(size)))
			path := hashes(other, nodes)
			check(len(one) == len(path), "paths differ", index, size)
			for i := range one {
				check(bytes.Equal(one[i][:], path[i]), "paths differ", index, size)
				included.Write(one[i][:])
			}
			if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(size), leaves[index], path, root); err != nil {
				panic(err)
			}
			included.Write([]byte{'\n'})
		}
		for old := 1; old < size; old++ {
			one := must(tlog.ProveTree(int64(size), int64(old), reader))
			path := hashes(must(proof.Consistency(uint64(old), uint64(size))), nodes)
			check(len(one) == len(path), "paths differ", old, size)
			for i := range one {
				check(bytes.Equal(one[i][:], path[i]), "paths differ", old, size)
				consistent.Write(one[i][:])
			}
			if err := proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(old), uint64(size), path, roots[old], root); err != nil {
				panic(err)
			}
			consistent.Write([]byte{'\n'})
		}
		fmt.Printf("%d %x %x %x\n", size, root, included.Sum(nil), consistent.Sum(nil))
	}
}

func hashes(of proof.Nodes, nodes map[compact.NodeID][]byte) [][]byte {
	found := make([][]byte, len(of.IDs))
	for i, id := range of.IDs {
		found[i] = nodes[id]
		check(found[i] != nil, "no node", int(id.Level), int(id.Index))
	}
	return must(of.Rehash(found, rfc6962.DefaultHasher.HashChildren))
}

// Notes signed by keys whose seeds are 00 01 02 ... and 01 02 03 ..., the second one a witness's.
func notes() {
	origin := "catwalk.example/pit"
	root := sha256.Sum256([]byte("a root"))
	text := string(log.Checkpoint{Origin: origin, Size: 20852163, Hash: root[:]}.Marshal()) + "time 2026-11-18T21:10:05Z\nday 2026-11-18\n"
	property := must(note.NewSigner(private(origin, 1, 0)))
	fmt.Print(string(must(note.Sign(&note.Note{Text: text}, property))), "====\n")
	witness := must(fnote.NewSignerForCosignatureV1(private("audit.example", 1, 1)))
	fmt.Print(witness.Verifier().Name(), " ", fmt.Sprintf("%08x", witness.Verifier().KeyHash()), "\n====\n")
	both := must(note.Sign(&note.Note{Text: text}, property, witness))
	fmt.Print(string(both))
}

func private(name string, kind byte, first byte) string {
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = first + byte(i)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	sum := sha256.Sum256(append([]byte(name+"\n"), append([]byte{kind}, public...)...))
	return fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", name, binary.BigEndian.Uint32(sum[:4]), base64.StdEncoding.EncodeToString(append([]byte{kind}, seed...)))
}
