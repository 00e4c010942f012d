"""Do published numbers come out of the vectors that they are printed for?"""
