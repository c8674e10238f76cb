"""How the weights that come with the package were learned: from own phrases, own lists and freely licensed packages.

1. `texts.py`: example queries with their categories (lists/phrases.tsv), the terms of the own lists with theirs, and
   texts without: words and pairs of words of the web, and WordNet's lemmas of several words.
2. `encoder.py`: two sentence encoders, in numpy.
3. `teacher.py`: kernel ridge regression from the embeddings of the phrases to their categories, for the texts that the
   larger encoder has read; a second one on the smaller encoder alone learns the first one's scores, for all others.
4. `student.py`: multinomial regression on uni-, bi- and trigrams, fitted to the teachers' scores and, in part, to the
   categories of the examples. Its weights are what a bundle holds.

No search log takes part. Run it with `querymix knowledge teach`; it needs the extra `teach` and the two models.

Source: Hinton, Vinyals, Dean, "Distilling the Knowledge in a Neural Network" (2015); Reimers and Gurevych,
"Sentence-BERT" (2019); Rahimi and Recht, "Random Features for Large-Scale Kernel Machines" (2007).
"""
