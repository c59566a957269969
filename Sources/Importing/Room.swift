// Rooms to be furnished.
