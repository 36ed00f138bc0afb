/// An image of the self-test holds no tracker.
func writeParts() {}
